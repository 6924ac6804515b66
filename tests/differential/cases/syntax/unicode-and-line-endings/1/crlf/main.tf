locals {
  heredoc = <<EOT
one
two
EOT
  indented = <<-EOT
    one
      two
  EOT
}
output "all" {
  value = [local.heredoc, local.indented, templatefile("${path.module}/t.tftpl", { n = 1 })]
}
