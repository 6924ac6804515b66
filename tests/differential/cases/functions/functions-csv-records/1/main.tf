locals {
  t = file("a.csv")
}
output "o01" {
  value = csvdecode(local.t)
}
output "o02" {
  value = csvdecode("a,b")
}
output "o03" {
  value = csvdecode("a\r\n1\r\n\r\n2")
}
output "o04" {
  value = csvdecode("é\nü")
}
output "o05" {
  value = can(csvdecode("a,a\n1,2"))
}
output "o06" {
  value = can(csvdecode("a,b\n1"))
}
output "o07" {
  value = can(csvdecode(""))
}
output "o08" {
  value = can(csvdecode("a\nb\"c"))
}
