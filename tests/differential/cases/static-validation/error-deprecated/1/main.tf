output "root" {
  value      = 1
  deprecated = "no one to tell"
}
