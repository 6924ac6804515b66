terraform {
  required_version = "~> 1.14"
}

output "x" {
  value = 1
}
