output "o" { value = {for k, v in {} : k => v if true extra} }
