output "a" {
  value = <<EOT
  foo
}
