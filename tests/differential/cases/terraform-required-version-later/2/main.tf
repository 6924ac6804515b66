terraform {
  required_version = "1.12.2"
}

output "x" {
  value = 1
}
