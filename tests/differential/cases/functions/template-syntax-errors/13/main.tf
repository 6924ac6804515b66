output "a" {
  value = <<EOT
no end
}
