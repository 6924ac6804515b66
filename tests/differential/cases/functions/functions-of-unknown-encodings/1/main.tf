resource "terraform_data" "u" {
  input = "later"
}
locals {
  u = terraform_data.u.output
}
output "o01" {
  value = jsonencode({a = local.u})
}
output "o02" {
  value = startswith(jsonencode({a = local.u}), "{")
}
output "o03" {
  value = startswith(jsonencode([local.u]), "[")
}
output "o04" {
  value = startswith(jsonencode(upper(local.u)), "\"") 
}
output "o05" {
  value = base64encode(local.u)
}
output "o06" {
  value = yamlencode({a = local.u})
}
output "o07" {
  value = jsondecode(jsonencode({a = local.u})).a
}
output "o08" {
  value = try(tonumber(local.u), 0)
}
output "o09" {
  value = can(tonumber(local.u))
}
output "o10" {
  value = sha256(local.u)
}
output "o11" {
  value = urlencode("a b ${local.u}")
}
output "o12" {
  value = nonsensitive(sensitive(local.u))
}
output "o13" {
  value = issensitive(local.u)
}
