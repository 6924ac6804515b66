output "list" { value = "a${[]}" }
output "object" { value = "a${{}}b" }
output "null" { value = "a${null}" }
output "typed_null" { value = "a${tostring(null)}" }
output "two" { value = "${[]}${{}}" }
output "if_null" { value = "%{ if null }a%{ endif }" }
output "if_text" { value = "%{ if "yes" }a%{ endif }" }
output "if_list" { value = "a%{ if [] }a%{ endif }" }
output "for_null" { value = "%{ for x in null }a%{ endfor }" }
output "for_text" { value = "%{ for x in "a" }a%{ endfor }" }
output "for_value" { value = "%{ for x in [[]] }${x}%{ endfor }" }
output "if_value" { value = "%{ if true }${[]}%{ endif }" }
output "if_types" { value = "%{ if true }${[1]}%{ else }${{}}%{ endif }" }
output "undefined" { value = "a${upper(null)}" }
output "heredoc" {
  value = <<-EOT
    a
    ${[]}
    b
  EOT
}
output "nested" { value = "a${"b${{}}"}" }
output "deep" { value = ["x", { y = "z${[][0]}" }] }
