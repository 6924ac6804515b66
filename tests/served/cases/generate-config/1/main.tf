terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "probe_everything" "a" {
  name      = "a"
  text      = jsonencode({ list = [1, 2.5, null], "odd key" = { deep = true }, text = "a${"$"}{b}\n\"q\"" })
  number    = 12345678901234567890.5
  flag      = true
  list      = ["x", "y"]
  set       = [3, 1, 2]
  map       = { k = true, "odd key" = false }
  object    = { a = "s", b = [1, 2] }
  tuple     = ["s", 4]
  objects   = [{ a = "o", b = [] }]
  maps      = { m = ["v", "u"] }
  any       = { deep = [1, "two", null] }
  anys      = { p = "s", q = "t" }
  sensitive = "hidden"
  one       = { s = "in one" }
  many      = [{ s = "1", deep = { k = { s = "d" } } }, { n = 2 }]
  some      = [{ s = "b" }, { n = 1 }, { s = "a", n = 3 }]
  keyed     = { k1 = { s = "v", secret = "hush" }, k2 = {} }
  single {
    s = "single"
  }
  group {
    s = "group"
  }
  listed {
    s = "l1"
    below {
      s = "deep"
    }
    below {
      s = "deeper"
    }
    unordered {
      s = "u"
    }
  }
  listed {}
  unordered {
    n = 9
  }
  unordered {
    s = "z"
  }
  mapped "m" {
    s = "mm"
  }
}

resource "probe_everything" "empty" {
  name = "empty"
}

resource "probe_identified" "i" {
  name   = "i"
  region = "north"
}

resource "probe_secret" "s" {
  name             = "s"
  password_wo      = "never kept"
  password_version = 1
  token_wo         = { deep = "nor this", n = 1 }
  login            = { user = "u", key_wo = "nor that" }
  logins           = [{ user = "a", key_wo = "k" }, { user = "b" }]

  mail {
    to      = "me"
    text_wo = "hello"
  }
}

resource "probe_legacy" "l" {
  name = "l"
  
  rule {
    port = 80
  }
  
}
