locals {
  t = "2018-01-02T23:12:01Z"
}
output "formatdate" {
  value = [
    formatdate("DD MMM YYYY hh:mm ZZZ", local.t), formatdate("EEEE, DD-MMM-YY hh:mm:ss ZZZ", local.t), formatdate("EEE, DD MMM YYYY hh:mm:ss ZZZ", "2018-01-02T23:12:01-08:00"),
    formatdate("MMM DD, YYYY", local.t), formatdate("HH:mmaa", local.t), formatdate("YYYY-MM-DD'T'hh:mm:ssZZZZZ", "2020-02-29T01:02:03+05:30"), formatdate("M D h m s 'it''s' AA", local.t), formatdate("MMMM", local.t), formatdate("H", "2020-01-01T00:00:00Z"),
  ]
}
output "timeadd" { value = [timeadd(local.t, "10m"), timeadd(local.t, "-1h30m"), timeadd(local.t, "36h"), timeadd("2020-02-28T00:00:00+01:00", "24h"), timeadd(local.t, "1.5s")] }
output "timecmp" { value = [timecmp(local.t, local.t), timecmp(local.t, "2019-01-01T00:00:00Z"), timecmp("2017-11-22T01:00:00Z", "2017-11-22T00:00:00-01:00")] }
