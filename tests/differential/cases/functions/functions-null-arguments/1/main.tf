locals {
  l01 = upper(null)
  l02 = length(null)
  l03 = concat(null, [1])
  l04 = keys(null)
  l05 = max(1, null)
  l06 = split(",", null)
  l07 = jsondecode(null)
  l08 = file(null)
  l09 = cidrhost(null, 1)
  l10 = timeadd(null, "1h")
  l11 = join(",", null)
  l12 = lookup(null, "a")
  l13 = toset(null) == null
  l14 = formatdate(null, "x")
  l15 = range(null)
  l16 = setunion(null, [])
  l17 = sort(null)
  l18 = base64decode(null)
  l19 = tolist(null) == null
  l20 = values(null)
}
