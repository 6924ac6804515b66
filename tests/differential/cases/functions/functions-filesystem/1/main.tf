output "file" { value = [file("${path.module}/data/a.txt"), file("data/empty.txt")] }
output "fileexists" { value = [fileexists("data/a.txt"), fileexists("data/none.txt"), fileexists("./data/../data/a.txt")] }
output "fileset" { value = [fileset("data", "*.txt"), fileset(path.module, "**/*.{txt,json}"), fileset("data", "none*"), fileset("data", "**")] }
output "filebase64" { value = filebase64("data/a.txt") }
output "digests" { value = [filemd5("data/a.txt"), filesha1("data/a.txt"), filesha256("data/a.txt"), filesha512("data/empty.txt"), filebase64sha256("data/a.txt"), filebase64sha512("data/a.txt")] }
output "names" { value = [basename("a/b/c.txt"), basename("a/"), dirname("a/b/c.txt"), dirname("c.txt"), dirname("/"), basename(""), dirname("a/b/")] }
output "abspath" { value = [abspath("data/./x/../a.txt"), abspath("/a/../b"), abspath(path.module)] }
output "pathexpand" { value = [pathexpand("/no/tilde"), pathexpand("a~")] }
output "in_module" { value = module.m.all }
output "decoded" { value = jsondecode(file("data/b.json")) }
output "template_in_template" { value = templatefile("data/t.tftpl", { names = ["x", "y"], path = "data" }) }

module "m" {
  source = "./m"
}
