output "old" {
  value      = "old"
  deprecated = "Please stop using this deeply nested output"
}
