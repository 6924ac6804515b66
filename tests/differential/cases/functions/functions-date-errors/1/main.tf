locals {
  l01 = timeadd("x", "1h")
  l02 = timeadd("2017-11-22T00:00:00Z", "1d")
  l03 = timeadd("2017-02-29T00:00:00Z", "1h")
  l04 = timecmp("2017-11-22T00:00:00Zx", "2017-11-22T00:00:00Z")
  l05 = timecmp("2017-11-22", "2017-11-22T00:00:00Z")
  l06 = formatdate("X", "2018-01-02T23:12:01Z")
  l07 = formatdate("'open", "2018-01-02T23:12:01Z")
  l08 = formatdate("YYYYY", "2018-01-02T23:12:01Z")
  l09 = formatdate("YYYY", "2018-01-02T24:12:01Z")
  l10 = formatdate("YYYY", "2018-1-2T00:00:00Z")
  l11 = formatdate("YYYY", "2018-01-02 23:12:01Z")
  l12 = timeadd("2017-11-22T00:00:00Z", "")
}
