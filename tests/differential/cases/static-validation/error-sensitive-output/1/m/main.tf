output "secret" {
  value     = "x"
  sensitive = true
}
