output "emacs" { value = "names that only begin with a hash count" }
