output "a" {
  value = <<-EOT
    ${foo}
    ${
    bar
    }
    %{ if x }
    %{ endif ~}
    ${~ nope ~}
    \q
  EOT
}
