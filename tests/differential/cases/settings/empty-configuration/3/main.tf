output "only" {
  value = "an output"
}
