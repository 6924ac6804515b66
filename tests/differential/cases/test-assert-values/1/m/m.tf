output "o" {
  value = "inside"
}
