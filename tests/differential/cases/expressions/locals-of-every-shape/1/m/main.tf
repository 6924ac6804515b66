output "x" { value = "x" }
output "path" { value = [path.module, path.root] }
