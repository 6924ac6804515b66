output "b" { value = 0x1F }
