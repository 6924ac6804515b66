output "o01" {
  value = cidrhost("10.0.0.0/8", -1)
}
output "o02" {
  value = cidrhost("fe80::/64", -1)
}
output "o03" {
  value = cidrhost("10.0.0.0/32", 0)
}
output "o04" {
  value = cidrsubnet("10.0.0.0/8", 24, 16777215)
}
output "o05" {
  value = cidrsubnet("2001:db8::/32", 32, 4294967295)
}
output "o06" {
  value = cidrsubnet("10.0.0.0/8", 2, -1)
}
output "o07" {
  value = cidrnetmask("0.0.0.0/0")
}
output "o08" {
  value = cidrsubnets("2001:db8::/32", 16, 32, 16)
}
output "o09" {
  value = cidrhost("::ffff:10.0.0.0/104", 1)
}
output "o10" {
  value = cidrhost("010.0.0.0/8", 9)
}
output "o11" {
  value = can(cidrhost("10.0.0.0/31", 2))
}
output "o12" {
  value = can(cidrnetmask("fe80::/10"))
}
output "o13" {
  value = can(cidrsubnets("10.0.0.0/30", 1, 1, 1))
}
