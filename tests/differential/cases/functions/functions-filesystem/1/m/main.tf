output "all" {
  value = [path.module, file("${path.module}/in.txt"), fileexists("in.txt"), basename(abspath(path.module))]
}
