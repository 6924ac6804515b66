output "a" { value = { for x, y, z in [1] : x => y } }
