package TLM "Interfaces of TLM co-simulation: ends of transmission lines, and signals"
  class Line "One interface; all of a model share a connection"
    extends ExternalObject;

    function constructor
      input String name;
      input Integer dimensions;
      input String causality;
      input String domain;
      output Line line;
      external "C" line = TLMOpen(name, dimensions, causality, domain)
        annotation(Include="#include \"tlmforce.h\"", Library={"tlmforce", "m"});
    end constructor;

    function destructor
      input Line line;
      external "C" TLMClose(line) annotation(Include="#include \"tlmforce.h\"", Library={"tlmforce", "m"});
    end destructor;
  end Line;

  package Functions "What the interfaces call"
    impure function getDelay
      input Line line;
      output Real delay(unit="s");
      external "C" delay = TLMGetDelay(line) annotation(Include="#include \"tlmforce.h\"", Library={"tlmforce", "m"});
    end getDelay;

    impure function getStartTime
      input Line line;
      output Real start(unit="s");
      external "C" start = TLMGetStartTime(line) annotation(Include="#include \"tlmforce.h\"", Library={"tlmforce", "m"});
    end getStartTime;

    // Those that equations call have no prefix: impure functions may be called in when-clauses and for parameters alone.
    function getForce1D
      input Line line;
      input Real t;
      input Real x;
      input Real v;
      output Real force;
      external "C" force = TLMGetForce1D(line, t, x, v) annotation(Include="#include \"tlmforce.h\"", Library={"tlmforce", "m"});
    end getForce1D;

    function getForce3D
      input Line line;
      input Real t;
      input Real r[3];
      input Real A[3, 3];
      input Real v[3];
      input Real w[3];
      output Real force[3];
      output Real torque[3];
      external "C" TLMGetForce3D(line, t, r, A, v, w, force, torque)
        annotation(Include="#include \"tlmforce.h\"", Library={"tlmforce", "m"});
    end getForce3D;

    function getValue
      input Line line;
      input Real t;
      output Real value;
      external "C" value = TLMGetValue(line, t) annotation(Include="#include \"tlmforce.h\"", Library={"tlmforce", "m"});
    end getValue;

    impure function setMotion1D
      input Line line;
      input Real t;
      input Real x;
      input Real v;
      external "C" TLMSetMotion1D(line, t, x, v) annotation(Include="#include \"tlmforce.h\"", Library={"tlmforce", "m"});
    end setMotion1D;

    impure function setMotion3D
      input Line line;
      input Real t;
      input Real r[3];
      input Real A[3, 3];
      input Real v[3];
      input Real w[3];
      external "C" TLMSetMotion3D(line, t, r, A, v, w) annotation(Include="#include \"tlmforce.h\"", Library={"tlmforce", "m"});
    end setMotion3D;

    impure function setValue
      input Line line;
      input Real t;
      input Real value;
      external "C" TLMSetValue(line, t, value) annotation(Include="#include \"tlmforce.h\"", Library={"tlmforce", "m"});
    end setValue;
  end Functions;

  model TLMInterface3D "Six degrees of freedom"
    import Modelica.Mechanics.MultiBody.Frames;
    Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a;
    parameter String interfaceName = "tlm" "Name in the meta-model";
  protected
    Line line = Line(interfaceName, 6, "bidirectional", "mechanical");
    parameter Real delay = Functions.getDelay(line);
    parameter Real startTime = Functions.getStartTime(line);
    Real v[3] = der(frame_a.r_0);
    Real w[3] = Frames.resolve1(frame_a.R, frame_a.R.w) "Angular velocity in the world frame";
    Real f[3] "Force on the model, in the world frame";
    Real t[3] "Torque on the model about the interface, in the world frame";
  equation
    (f, t) = Functions.getForce3D(line, time, frame_a.r_0, frame_a.R.T, v, w);
    // What flows into this end is what it takes from the model.
    frame_a.f = -Frames.resolve2(frame_a.R, f);
    frame_a.t = -Frames.resolve2(frame_a.R, t);
  algorithm
    when sample(startTime, delay / 2) then
      Functions.setMotion3D(line, time, frame_a.r_0, frame_a.R.T, v, w);
    end when;
  end TLMInterface3D;

  model TLMInterface1D "Translation along one axis"
    Modelica.Mechanics.Translational.Interfaces.Flange_a flange;
    parameter String interfaceName = "tlm" "Name in the meta-model";
  protected
    Line line = Line(interfaceName, 1, "bidirectional", "mechanical");
    parameter Real delay = Functions.getDelay(line);
    parameter Real startTime = Functions.getStartTime(line);
    Real v = der(flange.s);
  equation
    flange.f = -Functions.getForce1D(line, time, flange.s, v);
  algorithm
    when sample(startTime, delay / 2) then
      Functions.setMotion1D(line, time, flange.s, v);
    end when;
  end TLMInterface1D;

  model TLMInterfaceRotational "Rotation about one axis"
    Modelica.Mechanics.Rotational.Interfaces.Flange_a flange;
    parameter String interfaceName = "tlm" "Name in the meta-model";
  protected
    Line line = Line(interfaceName, 1, "bidirectional", "rotational");
    parameter Real delay = Functions.getDelay(line);
    parameter Real startTime = Functions.getStartTime(line);
    Real w = der(flange.phi);
  equation
    flange.tau = -Functions.getForce1D(line, time, flange.phi, w);
  algorithm
    when sample(startTime, delay / 2) then
      Functions.setMotion1D(line, time, flange.phi, w);
    end when;
  end TLMInterfaceRotational;

  model TLMInterfaceElectric "A pin against ground"
    Modelica.Electrical.Analog.Interfaces.PositivePin pin;
    parameter String interfaceName = "tlm" "Name in the meta-model";
  protected
    Line line = Line(interfaceName, 1, "bidirectional", "electric");
    parameter Real delay = Functions.getDelay(line);
    parameter Real startTime = Functions.getStartTime(line);
    Real i = -pin.i "Current into the model";
  equation
    pin.v = Functions.getForce1D(line, time, 0, i);
  algorithm
    when sample(startTime, delay / 2) then
      Functions.setMotion1D(line, time, 0, i);
    end when;
  end TLMInterfaceElectric;

  model TLMInterfaceHydraulic "Pressure for a flow into the line, as signals: whatever library the model uses"
    Modelica.Blocks.Interfaces.RealInput q "Volume flow out of the model, into the line";
    Modelica.Blocks.Interfaces.RealOutput p "Pressure at the end of the line";
    parameter String interfaceName = "tlm" "Name in the meta-model";
  protected
    Line line = Line(interfaceName, 1, "bidirectional", "hydraulic");
    parameter Real delay = Functions.getDelay(line);
    parameter Real startTime = Functions.getStartTime(line);
  equation
    p = Functions.getForce1D(line, time, 0, q);
  algorithm
    when sample(startTime, delay / 2) then
      Functions.setMotion1D(line, time, 0, q);
    end when;
  end TLMInterfaceHydraulic;

  model TLMInputSignal "A signal that comes from another component"
    Modelica.Blocks.Interfaces.RealOutput y;
    parameter String interfaceName = "u" "Name in the meta-model";
  protected
    Line line = Line(interfaceName, 1, "input", "signal");
  equation
    y = Functions.getValue(line, time);
  end TLMInputSignal;

  model TLMOutputSignal "A signal that goes to another component"
    Modelica.Blocks.Interfaces.RealInput u;
    parameter String interfaceName = "y" "Name in the meta-model";
  protected
    Line line = Line(interfaceName, 1, "output", "signal");
    parameter Real delay = Functions.getDelay(line);
    parameter Real startTime = Functions.getStartTime(line);
  algorithm
    when sample(startTime, delay / 2) then
      Functions.setValue(line, time, u);
    end when;
  end TLMOutputSignal;

  annotation(Documentation(info="<html>Each interface has the name that the meta-model knows. Loads act on the model that is connected to the
  interface; torques are about the interface itself. StartTLMOpenModelica and its like write tlm.config and start the simulation.</html>"));
end TLM;
