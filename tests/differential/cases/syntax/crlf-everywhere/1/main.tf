# comment
locals {
  a = "x" # c
  h = <<EOT
one
  two ${1 + 1}
EOT
  i = <<-EOT
    one
      two
  EOT
  l = [
    1,
    2
  ]
}
variable "t" {}
/* multi
line */
output "all" { value = [local.a, local.h, local.i, local.l, var.t] }
