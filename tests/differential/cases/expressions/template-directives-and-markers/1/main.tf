locals {
  items = ["a", "b", "c"]
  map   = { x = 1, y = null }
  empty = []
}
output "else" { value = "%{ if false }a%{ else }b%{ endif }" }
output "no_else" { value = "[%{ if false }a%{ endif }]" }
output "nested_if" { value = "%{ if true }%{ if false }1%{ else }2%{ endif }%{ else }3%{ endif }" }
output "for_in_if" { value = "%{ if true }%{ for i in local.items }${i}%{ endfor }%{ endif }" }
output "if_in_for" { value = "%{ for i, v in local.items }${v}%{ if i < 2 },%{ endif }%{ endfor }" }
output "for_in_for" { value = "%{ for a in local.items }%{ for b in local.items }${a}${b} %{ endfor }%{ endfor }" }
output "for_empty" { value = "[%{ for a in local.empty }x%{ endfor }]" }
output "for_map" { value = "%{ for k, v in local.map }${k}:${v == null ? "-" : v};%{ endfor }" }
output "for_set" { value = "%{ for k in toset(["z", "y"]) }${k}%{ endfor }" }
output "strip_all" { value = "a  ${~ "b" ~}  c  %{~ if true ~}  d  %{~ endif ~}  e" }
output "strip_left" { value = "a \t\n ${~ "b" } c" }
output "strip_right" { value = "a ${ "b" ~} \t\n c" }
output "strip_nothing" { value = "${~ "b" ~}" }
output "strip_single" { value = "  ${~ 5 ~}  " }
output "strip_interpolated" { value = "${ " a " }${~ " b " ~}${ " c " }" }
output "strip_escape" { value = "a\n ${~ "b" }" }
output "if_type" { value = "%{ if true }${1}%{ endif }" }
output "if_list_text" { value = "%{ if "true" }a%{ endif }" }
output "nested_quotes" { value = "a${"b${"c${"d"}"}"}" }
output "nested_braces" { value = "${{ a = "}" }.a}" }
output "nested_map" { value = "${[for x in [{ a = "${"{"}" }] : x.a][0]}" }
output "directive_braces" { value = "%{ if { a = true }.a }x%{ endif }" }
output "comment_inside" { value = "${ /* c */ "a" }${
  # line
  "b"
}" }
output "newline_inside" { value = "${
  1
  +
  2
}" }
output "wrapped_value" { value = "${ { a = [1] } }" }
output "wrapped_null" { value = "${null}" }
output "wrapped_bool" { value = ["${true}", "${true}${false}", "x${true}"] }
output "quoted_template" { value = "\"${"\"q\""}\"" }
output "dollars" { value = "$ $$ $$$ $a $${b} $$$ % %% %%% %%{e}" }
output "dollar_end" { value = ["$", "$$", "%", "%%", "a$", "a%"] }
output "heredoc_directives" {
  value = <<EOT
%{ for i in local.items ~}
${i}
%{ endfor ~}
%{ if true ~}
  yes
%{ else ~}
  no
%{ endif ~}
end
EOT
}
output "heredoc_no_strip" {
  value = <<EOT
%{ for i in local.items }
${i}
%{ endfor }
EOT
}
output "heredoc_left_strip" {
  value = <<EOT
x
%{~ for i in local.items }
- ${i}
%{~ endfor }
EOT
}
output "heredoc_single" {
  value = <<EOT
${local.items[0]}
EOT
}
output "heredoc_strip_end" {
  value = <<EOT
${local.items[0] ~}
EOT
}
