output "o" {
  ephemeral = true
}
