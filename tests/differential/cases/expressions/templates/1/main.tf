locals {
  name  = "World"
  items = ["a", "b"]
  map   = { x = 1, y = 2 }
}

output "interpolated" { value = "Hello, ${local.name}!" }
output "only_interpolation" { value = "${local.items}" }
output "escapes" { value = "tab\tnewline\nquote\"backslash\\unicode\u00e9\U0001F600 $${x} %%{y} $$ %% $x %y" }
output "directive_if" { value = "%{if local.name == "World"}yes%{else}no%{endif}" }
output "directive_for" { value = "%{for i, s in local.items}${i}:${s};%{endfor}" }
output "strip" { value = "a  ${~ local.name ~}  b %{~ if true ~}  c  %{~ endif ~} d" }
output "numbers" { value = "${1} ${1.50} ${1e3} ${true} ${1 / 3}" }
output "nested_quotes" { value = "a ${"b ${"c"}"}" }

output "heredoc" {
  value = <<EOT
  indented
    more ${local.name}
%{ for k, v in local.map ~}
  ${k} = ${v}
%{ endfor ~}
"quotes" and \n no escapes and $${literal}
EOT
}

output "heredoc_indented" {
  value = <<-EOT
    first
      second ${local.name}

    third
  EOT
}

output "heredoc_with_interpolation_at_the_margin" {
  value = <<-END
      ${local.name}
        in
    out
  END
}

output "in_call" {
  value = split("\n", <<-EOT
    one
    two
  EOT
  )
}

output "templatefile" {
  value = templatefile("${path.module}/template.tftpl", { name = local.name, items = local.items, on = true })
}

output "templatefile_value" {
  value = templatefile("single.tftpl", { list = [1, 2] })
}
