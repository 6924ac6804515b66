output "g" { value = - }
