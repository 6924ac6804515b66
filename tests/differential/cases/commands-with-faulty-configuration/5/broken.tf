output "b" {}
