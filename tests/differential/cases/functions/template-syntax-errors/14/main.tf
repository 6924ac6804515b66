output "a" {
  value = <<EOT text
a
EOT
}
