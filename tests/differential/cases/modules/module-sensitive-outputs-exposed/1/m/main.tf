output "secret" {
  value     = "hunter2"
  sensitive = true
}
