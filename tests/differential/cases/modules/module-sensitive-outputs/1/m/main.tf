output "declared" {
  value     = "plain"
  sensitive = true
}
output "really" {
  value = sensitive("secret")
}
output "plain" {
  value = "shown"
}
