output "out" {
  value = "from module"
}
