locals {
  v = "v"
}
output "empty" {
  value = <<EOT
EOT
}
output "blank" {
  value = <<EOT

EOT
}
output "flush_empty" {
  value = <<-EOT
  EOT
}
output "flush_blank_lines" {
  value = <<-EOT
    a

      b
  
    c
  EOT
}
output "flush_tabs" {
  value = <<-EOT
		a
			b
		c
  EOT
}
output "flush_mixed" {
  value = <<-EOT
	a
    b
  EOT
}
output "flush_interpolation_first" {
  value = <<-EOT
    ${local.v}
      b
  EOT
}
output "flush_interpolation_at_zero" {
  value = <<-EOT
${local.v}
      b
  EOT
}
output "flush_interpolation_after" {
  value = <<-EOT
      a ${local.v}
      ${local.v}    x
    ${local.v}
      b
  EOT
}
output "flush_directive" {
  value = <<-EOT
    %{ if true }
      a
    %{ endif }
    %{~ for x in ["p", "q"] ~}
      ${x}
    %{ endfor ~}
    z
  EOT
}
output "flush_multi_line_value" {
  value = <<-EOT
    a
    ${"x\n  y"}
    b
  EOT
}
output "flush_nested" {
  value = <<-EOT
    a ${join(",", [
      "x",
  "y"])}
      b
  EOT
}
output "flush_deeper_end" {
  value = <<-EOT
  a
          EOT
}
output "marker_indent_plain" {
  value = <<EOT
    kept
  EOT
}
output "escapes" {
  value = <<EOT
\n \t \" \\ \u0041 $${x} %%{y} $x %y "q"
EOT
}
output "marker_in_text" {
  value = <<EOT
EOT2
 EOTX
x EOT
EOT
}
output "marker_names" {
  value = <<my-marker_1
a
my-marker_1
}
output "unicode_marker" {
  value = <<ÉT
a
ÉT
}
output "in_list" {
  value = [<<A
one
A
    , <<B
two
B
  ]
}
output "in_object" {
  value = {
    a = <<A
one
A
    b = 2
  }
}
output "in_call" {
  value = trimspace(<<-A
    one
  A
  )
}
output "interpolated_heredoc" {
  value = <<A
x ${<<B
inner ${local.v}
B
}
A
}
output "trailing_spaces" {
  value = <<-A
    a   
      b	
  A
}
output "json_like" {
  value = <<-JSON
    {
      "a": "${local.v}",
      "b": ["$${x}"]
    }
  JSON
}
