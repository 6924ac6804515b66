terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

resource "probe_everything" "a" {
  name      = "a"
  text      = null
  number    = 0.1
  flag      = true
  list      = ["y"]
  set       = [4, 1]
  map       = {}
  object    = { a = "s", b = [1, 2] }
  tuple     = ["s", 4]
  objects   = [{ a = "o", b = [] }]
  maps      = { m = ["v", "u"] }
  any       = ["now", "a", "tuple", 1]
  anys      = { p = "s", q = "t" }
  sensitive = "hidden"
  
  many      = [{ n = 3, deep = { k = { s = "e" }, l = { s = "new" } } }]
  some      = [{ n = 1 }, { s = "c" }, { s = "a", n = 3 }]
  keyed     = { k1 = { s = "v", secret = "hush" }, k3 = { n = 1 } }
  group {
    s = "group"
  }
  listed {
    s = "l1"
    below {
      s = "deep"
    }
    below {
      s = "changed"
    }
    unordered {
      s = "u"
    }
  }
  unordered {
    n = 9
  }
  unordered {
    s = "z"
  }
  mapped "n" {
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
