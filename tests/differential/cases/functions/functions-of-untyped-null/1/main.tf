output "format" { value = format("%v", null) }
output "others" { value = [jsonencode(null), tostring(null), coalesce(null, "x"), try(null, "x"), can(null), length([null])] }
