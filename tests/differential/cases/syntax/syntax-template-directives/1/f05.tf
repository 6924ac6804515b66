output "f" { value = "%{ for x in [] }y" }
