locals {
  l01 = cidrhost("10.0.0.0/31", 2)
  l02 = cidrhost("10.0.0.0/24", -257)
  l03 = cidrhost("x", 1)
  l04 = cidrhost("10.0.0.0/8", 1.5)
  l05 = cidrnetmask("fe80::/10")
  l06 = cidrsubnet("10.0.0.0/24", 9, 0)
  l07 = cidrsubnet("10.0.0.0/24", 4, 16)
  l08 = cidrsubnets("10.0.0.0/30", 3)
  l09 = cidrsubnets("10.0.0.0/30", 1, 1, 1)
  l10 = cidrsubnets("fd00::/8", 33)
  l11 = cidrsubnets("10.0.0.0/8", 0)
  l12 = cidrsubnets("x", 1)
}
