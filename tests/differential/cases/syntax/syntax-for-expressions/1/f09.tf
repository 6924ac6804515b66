output "j" { value = {for x in [] : x => x ...} }
