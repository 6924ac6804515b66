output "a" { value = "%{ while true }a%{ end }" }
