output "a" {
  value = <<-EOT
    %{ if true }
    ${1 +}
  EOT
}
