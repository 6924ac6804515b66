output "syntax" { value = templatefile("bad.tftpl", {}) }
output "missing" { value = templatefile("missing.tftpl", { a = 1 }) }
output "recursive" { value = templatefile("recursive.tftpl", {}) }
output "runtime" { value = templatefile("runtime.tftpl", { n = "x" }) }
output "not_object" { value = templatefile("missing.tftpl", ["a"]) }
output "bad_name" { value = templatefile("missing.tftpl", { "not an identifier" = 1 }) }
output "templatestring" { value = templatestring("direct", {}) }
