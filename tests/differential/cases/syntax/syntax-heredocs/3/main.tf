output "a" {
  value = <<-"EOT"
  foo
  EOT
}
