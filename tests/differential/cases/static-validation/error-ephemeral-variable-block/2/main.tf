output "c" {
  value     = 1
  ephemeral = "x"
}
