output "bad" {
  value = local.nope
}
output "bad2" {
  value = <<EOT
a
${local.none}
EOT
}
