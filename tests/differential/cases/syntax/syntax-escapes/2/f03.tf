output "d" { value = "$${x} %%{y}" }
