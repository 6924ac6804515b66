output "b" { value = [for x in []] }
