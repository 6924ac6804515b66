output "unclosed" {
  value = "a ${local.x"
}
