terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "probe_everything" "a" {
  name      = "a"
  text      = "t"
  number    = 12345678901234567890.5
  flag      = true
  list      = ["x", "y"]
  set       = [3, 1, 2]
  map       = { k = true, l = null }
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
output "all" {
  value     = probe_everything.a
  sensitive = true
}
output "empty" {
  value     = probe_everything.empty
  sensitive = true
}
output "types" {
  value = [for k, v in { any = probe_everything.a.any, made = probe_everything.a.made_any } : can(v.deep)]
}
