output "f" { value = {for x in [] : x => } }
