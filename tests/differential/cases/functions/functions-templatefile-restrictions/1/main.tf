locals {
  l01 = templatefile("rec.tftpl", {})
  l02 = templatefile("str.tftpl", {s = "x"})
  l03 = templatefile("missing.tftpl", {})
  l04 = templatefile("bad.tftpl", {})
  l05 = templatefile("ok.tftpl", {"a-b" = 1, x = 1})
  l06 = templatefile("none.tftpl", {})
  l07 = templatefile("ok.tftpl", [])
  l08 = templatefile("ok.tftpl", null)
  l09 = templatefile("fail.tftpl", {x = "y"})
  l10 = templatefile("ok.tftpl", {x = null})
  l11 = templatefile("core.tftpl", {})
}
