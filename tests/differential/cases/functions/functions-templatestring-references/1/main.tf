locals {
  t  = "Hi $${name}"
  ts = ["a $${name}", "b"]
  m  = { x = "m $${name}" }
  bad = "$${"
  fs = "$${file(\"x\")}"
  n  = 5
  w1 = templatestring("literal", {})
  w2 = templatestring("in ${local.t}", {})
  w3 = templatestring("${local.t}", {})
  w4 = templatestring(upper(local.t), {})
  w5 = templatestring(local.bad, {})
  w6 = templatestring(local.fs, {})
  w7 = templatestring(local.n, {})
  w8 = templatestring(local.t, {})
  w9 = templatestring(local.t, "x")
  wa = templatestring(local.ts[5], {})
}
