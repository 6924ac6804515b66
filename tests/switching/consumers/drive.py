"""Drives `terraform` by two published libraries, and prints what they made of it as JSON.

Usage: drive.py TERRAFORM DIRECTORY
"""
import json
import sys

import python_terraform
import tftest

program, directory = sys.argv[1:]
told = {}

test = tftest.TerraformTest(directory, binary=program)
test.setup()
plan = test.plan(output=True, tf_vars={"name": "one"})
told["plan outputs"] = dict(plan.outputs)
told["plan resources"] = sorted(plan.resources)
told["plan modules"] = {
    name: sorted(module.resources) for name, module in plan.modules.items()
}
told["plan values"] = {
    name: resource["values"] for name, resource in plan.resources.items()
}
told["plan variables"] = dict(plan.variables)
told["applied"] = sorted(test.apply(tf_vars={"name": "one"}).splitlines())
told["outputs"] = {name: value for name, value in test.output().items()}
told["state"] = sorted(test.state_pull().resources)
told["workspace"] = test.workspace("other").splitlines()
told["empty outputs"] = {name: value for name, value in test.output().items()}

terraform = python_terraform.Terraform(working_dir=directory, terraform_bin_path=program)
code, out, err = terraform.set_workspace("default")
told["workspace again"] = [code, out, err]
code, out, err = terraform.plan(detailed_exitcode=python_terraform.IsFlagged, var={"name": "two"})
told["plan with changes"] = [code, err]
code, out, err = terraform.plan(detailed_exitcode=python_terraform.IsFlagged, var={"name": "one"})
told["plan without"] = [code, err]
code, out, err = terraform.plan(var={"name": ""})
told["plan with a fault"] = [code, out, err]
code, out, err = terraform.apply(skip_plan=True, var={"name": "three"})
told["apply"] = [code, err, terraform.output(json=python_terraform.IsFlagged)]
terraform.read_state_file()
told["state file"] = sorted(
    f"{each.get('module', '')}/{each['type']}.{each['name']}"
    for each in terraform.tfstate.resources
)
code, out, err = terraform.fmt(diff=True)
told["fmt"] = [code, out.splitlines(), err]
code, out, err = terraform.destroy(force=None, auto_approve=True)
told["destroy"] = [code, out.splitlines()[-1:], err]
print(json.dumps(told, indent=1, sort_keys=True))
