output "o01" {
  value = timeadd("9999-12-31T23:59:59Z", "1s")
}
output "o02" {
  value = timeadd("2020-02-28T23:00:00+05:30", "24h")
}
output "o03" {
  value = timeadd("2017-11-22T00:00:00Z", "-1h30m")
}
output "o04" {
  value = timecmp("2017-11-22T01:00:00Z", "2017-11-22T02:00:00+01:00")
}
output "o05" {
  value = formatdate("EEEE, DD MMM YYYY hh:mm:ss AA ZZZZ", "2018-01-02T23:12:01-08:00")
}
output "o06" {
  value = formatdate("h'h'm''''s Z ZZZ ZZZZZ", "2018-01-02T03:02:01Z")
}
output "o07" {
  value = formatdate("YY M D H HH E EEE MMMM aa", "2018-01-02T13:02:01+05:30")
}
output "o08" {
  value = can(timecmp("2017-11-22T00:00:00Zx", "2017-11-22T00:00:00Z"))
}
